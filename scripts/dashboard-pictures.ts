/**
 * Pictures of every screen of the dashboard, in light and dark, wide and narrow, of a built server with the example films.
 *
 *   npm run dashboard:pictures              into the folder pictures/
 *   npm run dashboard:pictures -- --only search --out docs/pictures
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { TestServer } from '../test/server.js'
import { findChromium, openBrowser } from './dashboard/browser.js'
import { fillForPictures, SCENES, type Scene } from './dashboard/scenes.js'

const { values: flags } = parseArgs({
  options: { out: { type: 'string', default: 'pictures' }, only: { type: 'string' } },
})

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } }
const THEMES = ['light', 'dark'] as const

const executable = findChromium()
if (executable === undefined) {
  console.error('No Chromium was found: install `chromium`, or name one with FINDLING_CHROMIUM.')
  process.exit(1)
}
mkdirSync(flags.out, { recursive: true })
const server = await TestServer.start()
const browser = await openBrowser(executable)
try {
  await fillForPictures(server)
  for (const scene of SCENES) if (flags.only === undefined || flags.only === scene.name) await draw(scene)
} finally {
  await browser.close()
  await server.close()
}

async function draw(scene: Scene): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const theme of THEMES) {
      const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      await page.goto(`${server.url}/${scene.hash}`)
      await settled(page)
      await scene.act?.(page)
      await settled(page)
      const path = join(flags.out, `${scene.name}-${size}-${theme}.png`)
      await page.screenshot({ path })
      console.log(path)
      await context.close()
    }
  }
}

/** Until nothing is being loaded. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('.spinner').first().waitFor({ state: 'detached' })
}
