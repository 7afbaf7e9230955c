import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The path of a Chromium: `FINDLING_CHROMIUM`, or the one on the path. Undefined where there is none. */
export function findChromium(): string | undefined {
  const named = process.env.FINDLING_CHROMIUM
  if (named !== undefined) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

export function openBrowser(executablePath: string): Promise<Browser> {
  // In a container the browser's own walls cannot be built, and the small shared memory ends it.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}
