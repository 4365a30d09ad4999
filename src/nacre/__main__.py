"""`python -m nacre`."""

from nacre.cli.front import main

if __name__ == "__main__":
    main()
