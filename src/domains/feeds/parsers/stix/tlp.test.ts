import { describe, expect, test } from 'vitest'
import { highestTlp, isAbove, tlpOfDefinition, tlpOfMarkingId, tlpOfWord } from './tlp.ts'

describe('the level of sharing', () => {
  // biome-ignore format: one case per line
  test.each([
    { title: 'TLP 1, white',         id: '613f2e26-407d-48c7-9eca-b8e91df99dc9', want: 'CLEAR' },
    { title: 'TLP 1, green',         id: '34098fce-860f-48ae-8e50-ebd3cc5e41da', want: 'GREEN' },
    { title: 'TLP 1, amber',         id: 'f88d31f6-486f-44da-b317-01333bde0b82', want: 'AMBER' },
    { title: 'TLP 1, red',           id: '5e57c739-391a-4eb3-b6be-7d15ca92d5ed', want: 'RED' },
    { title: 'TLP 2, clear',         id: '94868c89-83c2-464b-929b-a1a8aa3c8487', want: 'CLEAR' },
    { title: 'TLP 2, green',         id: 'bab4a63c-aed9-4cf5-a766-dfca5abac2bb', want: 'GREEN' },
    { title: 'TLP 2, amber',         id: '55d920b0-5e8b-4f79-9ee9-91f868d9b421', want: 'AMBER' },
    { title: 'TLP 2, amber, strict', id: '939a9414-2ddd-4d32-a0cd-375ea402b003', want: 'AMBER+STRICT' },
    { title: 'TLP 2, red',           id: 'e828b379-4e03-4974-9ac4-e53a884c97c1', want: 'RED' },
    { title: 'another marking',      id: '00000000-0000-4000-8000-000000000000', want: undefined },
  ])('follows from the id: $title', ({ id, want }) => expect(tlpOfMarkingId(`marking-definition--${id}`)).toBe(want))

  // biome-ignore format: one case per line
  test.each([
    { title: 'the definition of TLP 1', marking: { definition_type: 'tlp', definition: { tlp: 'amber' } },               want: 'AMBER' },
    { title: 'the extension of TLP 2',  marking: { extensions: { 'extension-definition--x': { tlp_2_0: 'amber+strict' } } }, want: 'AMBER+STRICT' },
    { title: 'the name',                marking: { name: 'TLP:RED' },                                                    want: 'RED' },
    { title: 'the strictest of several', marking: { definition: { tlp: 'green' }, name: 'TLP:RED' },                     want: 'RED' },
    { title: 'a name that is none',     marking: { name: 'Red team only' },                                              want: undefined },
    { title: 'a statement',             marking: { definition_type: 'statement', definition: { statement: 'Copyright' } }, want: undefined },
    { title: 'nonsense',                marking: { definition: 5, extensions: [null], name: {} },                        want: undefined },
  ])('follows from $title', ({ marking, want }) => expect(tlpOfDefinition(marking)).toBe(want))

  // biome-ignore format: one case per line
  test.each([
    { word: 'white',            want: 'CLEAR' },
    { word: 'TLP:CLEAR',        want: 'CLEAR' },
    { word: 'tlp:amber_strict', want: 'AMBER+STRICT' },
    { word: ' TLP AMBER+STRICT ', want: 'AMBER+STRICT' },
    { word: 'purple',           want: undefined },
  ])('is read from "$word"', ({ word, want }) => expect(tlpOfWord(word)).toBe(want))

  test('has an order', () => {
    expect(highestTlp(['GREEN', undefined, 'AMBER+STRICT', 'AMBER'])).toBe('AMBER+STRICT')
    expect(highestTlp([undefined])).toBeUndefined()
    expect([isAbove('RED', 'AMBER+STRICT'), isAbove('AMBER', 'AMBER'), isAbove('CLEAR', 'GREEN')]).toEqual([true, false, false])
  })
})
