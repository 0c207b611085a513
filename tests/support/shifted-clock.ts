/**
 * Loaded before a program (node --import), it shifts the program's wall clock by CLOCK_SHIFT_MS, as
 * on a machine with a wrong clock. Monotonic clocks stay unchanged.
 */
const RealDate = Date
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)

globalThis.Date = new Proxy(RealDate, {
  construct: (_, given, as) =>
    Reflect.construct(
      RealDate,
      given.length === 0 ? [RealDate.now() + shiftMs] : given,
      as,
    ) as Date,
  apply: () => new RealDate(RealDate.now() + shiftMs).toString(),
  get: (real, name, self) =>
    name === 'now' ? () => RealDate.now() + shiftMs : (Reflect.get(real, name, self) as unknown),
})

export {}
