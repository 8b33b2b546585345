/** Versions of the interfaces, as the Accept header carries them (specification, section 9). */
export type InterfaceVersion = 'v1' | 'v2'

/**
 * The vendor media type of an interface: `application/vnd.cofre.v2+json; charset=UTF-8`.
 * @param vendor - The media type's vendor segment; may contain dots.
 */
export function mediaType(vendor: string, version: InterfaceVersion): string {
  return `application/vnd.${vendor}.${version}+json; charset=UTF-8`
}
