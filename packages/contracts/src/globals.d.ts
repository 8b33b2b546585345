// What every supported runtime has (WinterTC Minimum Common API). This package is compiled without a runtime's types,
// so that nothing else slips in.
declare function btoa(ascii: string): string

/** What {@link setTimeout} returns differs between runtimes. */
interface Timer {
  readonly [Symbol.toStringTag]?: string
}
declare function setTimeout(callback: () => void, durationMs: number): Timer
declare function clearTimeout(timer: Timer): void

declare const performance: {
  now(): number
}

interface AbortSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

declare class URL {
  static canParse(text: string): boolean
  constructor(text: string)
  readonly username: string
  readonly password: string
}
