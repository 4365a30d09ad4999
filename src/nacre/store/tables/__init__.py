"""Tables, triggers and views."""
