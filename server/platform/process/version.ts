import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_FOLDER } from './project-folder.ts'

const PACKAGE_FILE = join(PROJECT_FOLDER, 'package.json')

export const VERSION = (JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { version: string })
  .version
