// The types of ascii.js, which the build runs before TypeScript is there.

export function asciiExpression(text: string): string
export function asciiProgram(code: string, name: string): string
