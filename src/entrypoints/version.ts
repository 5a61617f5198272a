import packageJson from '../../package.json' with { type: 'json' }

/** The version of the service; package.json is its one source. */
export const VERSION: string = packageJson.version
