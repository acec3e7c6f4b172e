// Leaves a module out of a bundle: what has these contents stands in its place.

/** A plugin of esbuild that does so for those files whose path, with `/`, `where` accepts. */
export function without(module, where, contents = 'module.exports = {}') {
  const name = `without ${module}`
  return {
    name,
    setup(plugin) {
      plugin.onResolve({ filter: new RegExp(`^(node:)?${module}$`) }, ({ importer }) =>
        where(importer.replaceAll('\\', '/')) ? { path: module, namespace: name } : undefined,
      )
      plugin.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, loader: 'js' }))
    },
  }
}
