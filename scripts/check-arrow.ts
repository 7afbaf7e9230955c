import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { findArrowProblems } from './arrow.js'

const source = join(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(source, path), 'utf8') }))

const problems = findArrowProblems(files)
for (const problem of problems) console.error(problem)
console.log(`arrow: ${files.length} files, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
