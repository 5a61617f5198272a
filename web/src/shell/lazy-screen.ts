import { lazyRouteComponent } from '@tanstack/react-router'
import { loadPart } from '../ui/load-part.ts'

type Screens = Awaited<ReturnType<Parameters<typeof lazyRouteComponent>[0]>>

/**
 * A screen that is loaded when it is first needed. The router would load the whole page again for a part that does not arrive, and while the
 * service is away nothing but the browser's own error would be left; with an error that it does not know, the frame stays and says so.
 */
export function lazyScreen<Module extends Screens, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazyRouteComponent(async () => await loadPart(load), name)
}
