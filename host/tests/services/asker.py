"""One server process of the pacing tests: `asker.py DATA BASE_URL RATE COUNT SECONDS`; prints one line an answer."""

import asyncio
import sys
import time
from pathlib import Path

import msgspec
from vouched.services.http import HttpService
from vouched.settings import Settings, SourceSettings

from host.tests.services.support import LIB, QUICK, context_for


async def main(data: str, base: str, rate: str, count: str, seconds: str) -> None:
    limits = msgspec.structs.replace(QUICK, deadline=float(seconds), queue_depth=10_000)
    settings = Settings(Path(data), sources={"lib": SourceSettings(url=base, rate=float(rate))}, limits=limits)
    service = HttpService(settings, {"lib": LIB}, provide_transport=lambda source, settings: None)

    async def ask(number: int) -> None:
        await context_for(service).http("lib").get(f"x{number}", refresh=True)
        print(time.monotonic(), flush=True)

    print("ready", flush=True)
    sys.stdin.readline()
    await asyncio.gather(*(ask(number) for number in range(int(count))))
    await service.aclose()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
