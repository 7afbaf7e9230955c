import { IndexFolder } from '../folder/index.js'

/** Reads the folder of an index as of the last commit. It must be open on another thread. */
export async function withIndexFolder<T>(
  { uid, path }: { readonly uid: string; readonly path: string },
  work: (folder: IndexFolder) => Promise<T>,
): Promise<T> {
  const folder = IndexFolder.openForReading(path)
  try {
    folder.environment.refresh()
    folder.nameAs(uid)
    return await work(folder)
  } finally {
    await folder.close()
  }
}
