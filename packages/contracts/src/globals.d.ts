// What every supported runtime has (WinterTC Minimum Common API). This package is compiled without
// a runtime's types, so that nothing else slips in.
declare function btoa(ascii: string): string

declare class URL {
  static canParse(text: string): boolean
  constructor(text: string)
  readonly username: string
  readonly password: string
}
