import { easypostSubject } from './easypost.ts'
import { sandboxSubject } from './sandbox.ts'
import { shipengineSubject } from './shipengine.ts'
import type { ConformanceSubject } from './subject.ts'
import { uspsSubject } from './usps.ts'

/** Every carrier we can buy from. */
export const SUBJECTS: ConformanceSubject[] = [
  sandboxSubject,
  easypostSubject,
  uspsSubject,
  shipengineSubject,
]
