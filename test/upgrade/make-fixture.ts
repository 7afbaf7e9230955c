/** Makes the data folder that is kept with the tests, by a build of an older version: see `test/fixtures/README.md`. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MASTER_KEY } from '../filled-server.js'
import { TestServer } from '../server.js'
import { ANSWERS_FILE, answersOf, FIXTURE, FIXTURE_VERSION, fillVaried } from './content.js'

const server = await TestServer.start({ masterKey: MASTER_KEY })
try {
  await fillVaried(server)
  const answers = await answersOf(server)
  const refused = answers.filter(({ status }) => status !== 200)
  if (refused.length > 0) throw new Error(JSON.stringify(refused))
  await server.stop('SIGTERM')
  writeFileSync(join(server.folder, 'data.ms', 'VERSION'), FIXTURE_VERSION)
  writeFileSync(join(server.folder, ANSWERS_FILE), JSON.stringify(answers))
  const options = ['--exclude=lock.mdb', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-I', 'gzip -9']
  execFileSync('tar', [...options, '-cf', FIXTURE, 'data.ms', ANSWERS_FILE], { cwd: server.folder })
} finally {
  await server.close()
}
