// Runs after an installation (npm's postinstall step).
import { linkProjectNode } from './project.mjs'

linkProjectNode()
