"""What users see when services, keys, clocks and disks fail them: real tools, real HTTP, an emulator that misbehaves."""
