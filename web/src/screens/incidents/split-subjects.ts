const CVE = /^CVE-\d{4}-\d{4,19}$/i

/** Pasted text as CVE identifiers and other values, each once. */
export function splitSubjects(pasted: string): { cveIds: string[]; values: string[] } {
  const words = [...new Set(pasted.split(/[\s,;]+/).filter((word) => word !== ''))]
  const cves = words.filter((word) => CVE.test(word))
  return { cveIds: [...new Set(cves.map((word) => word.toUpperCase()))], values: words.filter((word) => !CVE.test(word)) }
}
