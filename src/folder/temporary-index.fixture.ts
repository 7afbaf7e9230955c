import { atEnd } from '../store/at-end.fixture.js'
import { Environment } from '../store/index.js'
import { temporaryFolder } from '../store/temporary.fixture.js'
import { IndexFolder } from './index-folder.js'

/** An index folder that vanishes when the tests are done. */
export function temporaryIndex(): IndexFolder {
  return kept(IndexFolder.open(temporaryFolder()))
}

/** One of the first format: without checksums, and without a mark. */
export async function olderIndex(): Promise<IndexFolder> {
  const path = temporaryFolder()
  await Environment.open(path).close()
  return kept(IndexFolder.open(path))
}

function kept(folder: IndexFolder): IndexFolder {
  atEnd(() => folder.close())
  return folder
}
