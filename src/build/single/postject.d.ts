// What is used of postject, which has no types of its own.
declare module 'postject' {
  /** Puts a blob into a program under a name. */
  export function inject(
    program: string,
    name: string,
    blob: Buffer,
    options: { readonly sentinelFuse: string; readonly machoSegmentName?: string },
  ): Promise<void>
}
