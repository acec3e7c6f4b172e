// The command tree as a module that parses little. A run needs the words of all commands, and everything else of one or
// two. So each part is JSON text in a function: V8's kept code has only those that ran, and parsing text is faster than
// running code that builds the tree.

/** A value as code that parses it from ASCII text. V8 stores and reads other text at twice the size. */
function parsed(value) {
  const ascii = JSON.stringify(value).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `JSON.parse(${JSON.stringify(ascii)})`
}

/** The module of a tree (src/cli/command/tree.ts). Printed as JSON it is the same as the tree. */
export function lazyTree(tree) {
  const { commands, ...others } = tree
  const keys = new Set(commands.flatMap((command) => Object.keys(command)))
  keys.delete('path')
  const getters = (names) => [...names].map((key) => `get ${key}() { return this.toJSON().${key} }`).join('\n')
  const made = commands.map((command) => `new Command(${JSON.stringify(command.path)}, () => ${parsed(command)})`)
  const parts = Object.keys(tree).map((key) =>
    key === 'commands' ? 'commands' : `get ${key}() { return (${key} ??= ${parsed(others[key])}) }`,
  )
  return `
class Command {
  constructor(path, read) {
    this.path = path
    this.read = read
  }
  toJSON() {
    return (this.whole ??= this.read())
  }
  ${getters(keys)}
}
const commands = [${made.join(',\n')}]
let ${Object.keys(others).join(', ')}
export default { ${parts.join(',\n')} }
`
}
