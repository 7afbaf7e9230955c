import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { findSlowExpressions } from './regular-expressions.js'

const source = join(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  // Tests match what they know.
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|fixture|fake|arbitrary|twin)\.ts$/.test(path))
  .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(source, path), 'utf8') }))

const problems = findSlowExpressions(files)
for (const problem of problems) console.error(problem)
console.log(`regular expressions: ${files.length} files, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
