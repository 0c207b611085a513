import { shipengine } from './carriers.ts'
import { walkFirstDay } from './first-day.ts'

await walkFirstDay(shipengine)
