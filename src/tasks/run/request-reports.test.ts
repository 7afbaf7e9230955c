import { expect, test } from 'vitest'
import type { EmbedderRequests } from '../../embed/index.js'
import { RequestReports } from './request-reports.js'

function watched(before: EmbedderRequests = { total: 0, failed: 0 }) {
  const source = { requests: before }
  const told: EmbedderRequests[] = []
  const reports = new RequestReports(source, (requests) => told.push(requests))
  const count = (total: number) => {
    source.requests = { total, failed: 0 }
  }
  return { reports, told, count }
}

test('nothing is told where there were no requests', () => {
  const { reports, told } = watched()
  reports.tell(0)
  reports.tellLast()
  expect(told).toEqual([])
})

test('requests are told at once, then every 50 ms, and all of them at the end', () => {
  const { reports, told, count } = watched()
  count(1)
  reports.tell(10)
  count(2)
  reports.tell(59)
  expect(told.map(({ total }) => total)).toEqual([1])
  count(3)
  reports.tell(60)
  reports.tell(500)
  count(4)
  reports.tellLast()
  reports.tellLast()
  expect(told.map(({ total }) => total)).toEqual([1, 3, 4])
})
