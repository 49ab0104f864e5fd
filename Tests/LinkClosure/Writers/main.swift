import Writers
