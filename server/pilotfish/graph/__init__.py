"""Links between names and files, as pure functions over plain data; knows no database."""
