import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { findChromium, openBrowser } from '../../scripts/dashboard/browser.js'
import { TestServer } from '../server.js'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export const chromiumPath = findChromium()
if (chromiumPath === undefined) {
  console.warn(
    'Tests of the dashboard are skipped: no Chromium was found. Install `chromium`, or set FINDLING_CHROMIUM.',
  )
}

const TIMEOUT_MS = 15_000

/** Somebody who looks at a built server in a real browser, and minds what should never happen there. */
export class Visitor {
  /** Requests to anywhere but the server. */
  readonly strayRequests: string[] = []
  /** What the page complains about: errors, and violations of its policy. */
  readonly complaints: string[] = []

  private constructor(
    readonly server: TestServer,
    private readonly browser: Browser,
    readonly page: Page,
  ) {}

  static async come(options: Parameters<typeof TestServer.start>[0] = {}): Promise<Visitor> {
    const [server, browser] = await Promise.all([TestServer.start(options), openBrowser(chromiumPath!)])
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(TIMEOUT_MS)
    const visitor = new Visitor(server, browser, await context.newPage())
    visitor.watch()
    return visitor
  }

  private watch(): void {
    const { page, server } = this
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(server.url) || /^(data|blob):/.test(request.url())
      if (!isOwn) this.strayRequests.push(request.url())
    })
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        this.complaints.push(message.text())
    })
  }

  /** Opens a place of the dashboard, such as `#/search/films`. */
  async open(hash = ''): Promise<void> {
    await this.page.goto(`${this.server.url}/${hash}`)
  }

  /** Serious findings of axe on what is shown now, each with the element. */
  async accessibilityProblems(): Promise<string[]> {
    // By the devtools, past the policy of the page.
    await this.page.evaluate(readAxe())
    return this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
      const { violations } = await axe.run({ resultTypes: ['violations'] })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
        )
    })
  }

  async leave(): Promise<void> {
    await this.browser.close()
    await this.server.close()
  }
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
  }[]
}

let axe: string | undefined

function readAxe(): string {
  axe ??= readFileSync(axePath, 'utf8')
  return axe
}
