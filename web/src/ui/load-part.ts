/** A part of the product did not arrive: the service is away, or a new release took the old parts away. */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('A part of the page could not be loaded.', { cause })
    this.name = 'PartNotLoaded'
  }
}

/** Loads a part of the product that is not in the first file. @throws PartNotLoaded */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  return await load().catch((error: unknown) => {
    throw new PartNotLoaded(error)
  })
}
