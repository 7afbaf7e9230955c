import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Headers, WholeAnswer } from '../answers/answer.js'

/** Beside the built program. Source that was not built has none. */
const FOLDER = new URL('./dashboard/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** Their names change with what is in them. */
const FOREVER: Headers = { 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' }

/**
 * The files of the dashboard, each read when it is first asked for and then kept: about 200 KB in all, and nothing as long as
 * nobody opens it.
 */
export class DashboardFiles {
  private names: ReadonlySet<string> | undefined
  private readonly read = new Map<string, Promise<Uint8Array>>()

  constructor(private readonly folder: URL = FOLDER) {}

  get isThere(): boolean {
    return this.list().has('index.html')
  }

  /** The page itself. With `pictures` it may show those that documents name, from wherever they are. */
  async page({ pictures }: { pictures: boolean }): Promise<WholeAnswer> {
    return this.answer('index.html', {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy(pictures),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    })
  }

  /** What the page is made of; undefined where there is no such file. */
  async asset(name: string): Promise<WholeAnswer | undefined> {
    return this.list().has(name) && name !== 'index.html' ? this.answer(name, FOREVER) : undefined
  }

  private async answer(name: string, headers: Headers): Promise<WholeAnswer> {
    const contentType = TYPES[extname(name)] ?? 'application/octet-stream'
    return { kind: 'whole', status: 200, body: await this.bytes(name), contentType, headers }
  }

  private bytes(name: string): Promise<Uint8Array> {
    let bytes = this.read.get(name)
    if (bytes === undefined) {
      bytes = readFile(new URL(name, this.folder))
      // What could not be read may be there the next time.
      bytes.catch(() => this.read.delete(name))
      this.read.set(name, bytes)
    }
    return bytes
  }

  /** Only what was built: a name in a request is never a path. */
  private list(): ReadonlySet<string> {
    this.names ??= new Set(existsSync(this.folder) ? readdirSync(this.folder) : [])
    return this.names
  }
}

/** Nothing from elsewhere is run, drawn or asked, but for pictures where a person wants to see them. */
function policy(pictures: boolean): string {
  const images = pictures ? "'self' data: https: http:" : "'self' data:"
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}
