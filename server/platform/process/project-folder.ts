import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The folder with package.json, server, web and node_modules. It is looked for upwards because the server runs from its
 * sources and as the bundle in server/dist (scripts/bundle-server.ts), where `import.meta.dirname` is another one.
 */
export const PROJECT_FOLDER = folderWithPackage(import.meta.dirname)

function folderWithPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  if (dirname(folder) === folder) throw new Error('package.json is missing above the server')
  return folderWithPackage(dirname(folder))
}
