import Batch
