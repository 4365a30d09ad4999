"""What is believed of entities: claims and their versions, and the one path of every change."""
