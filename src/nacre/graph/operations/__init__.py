"""Operations: the one path of every change, its handlers, and proposals that wait for a decision."""
