/**
 * Follows pages of the documentation: runs their commands, in order, against the built server, and compares what they
 * print with what the pages show.
 *
 *   npx tsx scripts/follow-pages.ts docs/filters.md …
 *   npx tsx scripts/follow-pages.ts --write docs/filters.md     puts what was printed into the page
 */

import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { comparable, isError, layOut } from '../test/pages/compare.js'
import { followPage } from '../test/pages/follow.js'
import { type Page, readPage } from '../test/pages/page.js'

const { values: flags, positionals: paths } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
for (const path of paths) {
  const page = readPage(path)
  const { printed, failedTasks } = await followPage(page)
  if (flags.write) writeFileSync(path, pageWith(page, printed))
  if (failedTasks !== '' && !failedTasks.includes('"total":0')) {
    process.exitCode = 1
    console.log(`${path}: tasks failed\n${failedTasks}`)
  }
  for (const [i, { command, line, shown }] of page.steps.entries()) {
    const output = printed[i]!
    const isFine = shown ? isDeepStrictEqual(comparable(shown.text), comparable(output)) : !isError(output)
    console.log(`${path}:${line} ${isFine ? 'as shown' : shown && flags.write ? 'written' : 'DIFFERS'}`)
    if (!isFine && (!shown || !flags.write)) {
      process.exitCode = 1
      console.log(`${command}\n${output}`)
    }
  }
}

/** What only differs in times and the like stays as it is. From the end, so that what comes before keeps its place. */
function pageWith({ text, steps }: Page, printed: readonly string[]): string {
  return steps.reduceRight((result, { shown }, i) => {
    if (shown === undefined || isDeepStrictEqual(comparable(shown.text), comparable(printed[i]!))) return result
    const output = printed[i]!.trim()
    const body = shown.language === 'json' ? layOut(JSON.parse(output)) : output
    return `${result.slice(0, shown.at)}${body}\n${result.slice(shown.at + shown.text.length)}`
  }, text)
}
