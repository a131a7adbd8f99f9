#!/bin/sh
# Wrong: says the same for every grid. A program of any kind may be judged, if it is executable.
read -r grids
while [ "$grids" -gt 0 ]; do
    printf '1234\n3412\n2143\n4321\n'
    grids=$((grids - 1))
done
