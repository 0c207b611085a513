import { amazon } from './amazon.ts'
import type { Source } from './source.ts'
import { template } from './template.ts'

/** Every source that is read without a question. */
export const FILE_SOURCES: readonly Source[] = [template, amazon]
