# Ends without a guess.
input()
