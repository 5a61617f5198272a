.PHONY: start dev check test gen
start: ; npm start
dev:   ; node scripts/bootstrap.mjs && npm run dev
check: ; npm test -- format:check lint types borders test:unit
test:  ; npm test
gen:   ; npm run gen
