import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { IndexFolder } from '../folder/index.js'
import { type Database, Environment } from '../store/index.js'

const DATABASES = { maxDatabases: 32 }

const indexesIn = (dataFolder: string): string[] =>
  readdirSync(join(dataFolder, 'indexes')).map((name) => join(dataFolder, 'indexes', name))

/** The formats of all indexes of a data folder that nobody has open; those that have no mark are undefined. */
export async function formatsIn(dataFolder: string): Promise<(number | undefined)[]> {
  const formats: (number | undefined)[] = []
  for (const path of indexesIn(dataFolder)) {
    const environment = Environment.open(path, DATABASES)
    formats.push(environment.format)
    await environment.close()
  }
  return formats
}

/** Rewrites all indexes of a data folder as versions before 1.49.0 wrote them: without checksums. */
export async function makeOlder(dataFolder: string): Promise<void> {
  for (const path of indexesIn(dataFolder)) {
    const olderPath = `${path}-older`
    const index = IndexFolder.open(path)
    const older = Environment.open(olderPath, DATABASES)
    for (const [name, database] of Object.entries<Database>({ ...index.databases })) {
      const target = older.database(name)
      older.writeSync(() => {
        for (const { key, value } of database.range()) target.append(key, value)
      })
    }
    await older.close()
    await index.close()
    rmSync(path, { recursive: true })
    renameSync(olderPath, path)
  }
}
