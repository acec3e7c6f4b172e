// The types of ascii.js, which the build runs before TypeScript is available.

export function asciiExpression(text: string): string
export function asciiProgram(code: string, name: string): string
