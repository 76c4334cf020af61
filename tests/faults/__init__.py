"""What users meet when services, keys, clocks and disks fail: real tools, real HTTP, an emulator that misbehaves."""
