import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** One place of the command tree: the words typed so far, and what may follow. */
type Place = { path: string; commands: { name: string; about: string }[]; options: { name: string; about: string }[] }

/** A script for the shell, made from the command tree itself: what is not in the program cannot be offered. */
export function completionScript(program: Command, shell: Shell): string {
  const places = listPlaces(program, [])
  if (shell === 'fish') return fishScript(places)
  const bash = bashScript(places)
  return shell === 'bash' ? bash : `#compdef svc\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
}

function listPlaces(command: Command, path: readonly string[]): Place[] {
  const here: Place = {
    path: path.join(' '),
    commands: command.commands.map((child) => ({ name: child.name(), about: child.description() })),
    options: [
      ...command.options.map(({ long, description }) => ({ name: long ?? '', about: description })),
      { name: '--help', about: 'shows the help' },
    ],
  }
  return [here, ...command.commands.flatMap((child) => listPlaces(child, [...path, child.name()]))]
}

function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, options }) => {
    const words = [...commands, ...options].map(({ name }) => name).join(' ')
    return `    '${path}') words='${words}' ;;`
  })
  return `_svc() {
  local path='' word words='' current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [[ \${#path} -lt 40 ]] && path="\${path:+$path }$word" ;; esac
  done
  while [[ -n $path ]] && ! _svc_knows "$path"; do [[ $path == *' '* ]] && path="\${path% *}" || path=''; done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$current"))
}
_svc_knows() {
  case "$1" in
    ${places
      .filter(({ path }) => path !== '')
      .map(({ path }) => `'${path}'`)
      .join('|')}) return 0 ;;
  esac
  return 1
}
complete -F _svc svc`
}

function fishScript(places: readonly Place[]): string {
  const lines = ['complete -c svc -f']
  for (const { path, commands, options } of places) {
    const words = path === '' ? [] : path.split(' ')
    const next = commands.map(({ name }) => name)
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`)
    const notYet = next.length === 0 ? [] : [`not __fish_seen_subcommand_from ${next.join(' ')}`]
    const condition = [...seen, ...notYet].join('; and ')
    for (const { name, about } of commands) lines.push(`complete -c svc -n '${condition}' -a '${name}' -d '${quote(about)}'`)
    for (const { name, about } of options)
      lines.push(`complete -c svc${condition === '' ? '' : ` -n '${condition}'`} -l '${name.slice(2)}' -d '${quote(about)}'`)
  }
  return lines.join('\n')
}

function quote(text: string): string {
  return text.replaceAll('\\', '').replaceAll("'", "\\'")
}
