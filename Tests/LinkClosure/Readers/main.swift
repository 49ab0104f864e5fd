import Readers
