"""Identity: which entity a name means, and which entities may be one."""
