import Export
