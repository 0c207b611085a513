/** Which modules of the build share a file. */

/** Documents that must show at once: they load nothing of the application before it is needed. */
export const LIGHT_ENTRIES = ['index.html', 'entrance.html', 'docs.html']

/** The part of the bundler's graph of modules that is read here. */
type ModuleGraph = {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

type ChunkGroup = {
  name: string | ((id: string, graph: ModuleGraph) => string | null)
  debugName?: string
  test?: RegExp
  priority?: number
  minShareCount?: number
  entriesAware?: boolean
}

/** Parts of the component library that the sign-in page needs too; their chunk includes what these parts need. */
const FIELD_PARTS =
  /node_modules\/@mantine\/core\/esm\/(core\/MantineProvider|components\/(TextInput|PasswordInput|Tooltip))\//
const UI_KIT_PACKAGES =
  /node_modules\/(@mantine|@floating-ui|react-remove-scroll|react-textarea-autosize|react-number-format)\//
const REACT_PACKAGES =
  /node_modules\/(react|react-dom|react-router|scheduler|zustand|@tanstack\/(react-query|query-core))\//

/**
 * Packages stay in the browser's cache when a release changes only the pages. What several pages share is a few files:
 * left to themselves, a hundred small modules would be a hundred requests of a first visit.
 */
export const chunkGroups = (): ChunkGroup[] => [
  { name: nameOfLight(), debugName: 'light', entriesAware: true, priority: 3 },
  { name: 'react', test: REACT_PACKAGES, priority: 2 },
  { name: 'fields', test: FIELD_PARTS, priority: 1 },
  { name: 'kit', test: UI_KIT_PACKAGES },
  { name: 'schemas', test: /node_modules\/zod\// },
  { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
  { name: 'contract', test: /\/contract\//, minShareCount: 4 },
  { name: 'parts', test: /\/web\/(ui|client)\//, minShareCount: 5 },
]

/** Keeps what the light documents import out of the other groups, which would load with it. */
function nameOfLight(): (id: string, graph: ModuleGraph) => string | null {
  let light: Set<string> | null = null
  return (id, graph) => {
    light ??= importedBy(
      LIGHT_ENTRIES.map(page => `${import.meta.dirname}/${page}`),
      graph,
    )
    return light.has(id) && !id.endsWith('.html') ? 'light' : null
  }
}

/** These modules and all that they import, without what they load later. */
function importedBy(ids: readonly string[], graph: ModuleGraph): Set<string> {
  const found = new Set<string>()
  const open = [...ids]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}
