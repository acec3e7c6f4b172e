// Stub, being written.
export function openApi(_about: { version: string }): object {
  return {}
}
