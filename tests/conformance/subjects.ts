import { easypost } from './easypost.ts'
import { sandbox } from './sandbox.ts'
import { shipengine } from './shipengine.ts'
import type { Subject } from './subject.ts'
import { usps } from './usps.ts'

/** Every carrier that the house can buy from. */
export const SUBJECTS: Subject[] = [sandbox, easypost, usps, shipengine]
