// Globals of every supported runtime (WinterTC Minimum Common API). This package is compiled
// without a runtime's types, so that it can't use other globals.
declare function btoa(ascii: string): string

declare class URL {
  static canParse(text: string): boolean
  constructor(text: string)
  readonly username: string
  readonly password: string
}
